import { isObject, isReference, namesOf, resolve, shown } from '../contract/document.mjs';

export const BREAKING = 'breaking';
export const ADDITIVE = 'additive';
const DOCUMENTATION = 'documentation';

/** In the order of the report. */
export const VERDICTS = [BREAKING, ADDITIVE, DOCUMENTATION];

/** Far beyond a real schema; `allOf` can make a recursive one endless. */
const DEEPEST = 64;

/**
 * A place in the two documents, and the list of changes found so far.
 *
 * @typedef {object} Change
 * @property {'request' | 'response' | 'document'} direction `document` if neither requests nor responses change.
 * @property {'breaking' | 'additive' | 'documentation'} verdict
 * @property {string} place
 * @property {string} what
 */
export class Context {
  constructor(before, after, state = {}) {
    const start = { direction: 'document', path: [], changes: [], effects: new Set(), seen: new Set(), isProbe: false };
    Object.assign(this, { before, after, ...start, ...state });
  }

  #with(changed) {
    const { before, after, direction, path, changes, effects, seen, isProbe } = this;
    return new Context(before, after, { direction, path, changes, effects, seen, isProbe, ...changed });
  }

  at(...parts) {
    return this.#with({ path: [...this.path, ...parts] });
  }

  as(direction) {
    return this.#with({ direction });
  }

  breaking(what) {
    this.#add(BREAKING, what);
  }

  additive(what) {
    this.#add(ADDITIVE, what);
  }

  documentation(what) {
    this.#add(DOCUMENTATION, what);
  }

  /** More values are possible: requests may use them, but clients may not be prepared for them in responses. */
  wider(what) {
    this.effects.add('wider');
    this.#add(this.direction === 'request' ? ADDITIVE : BREAKING, what);
  }

  /** Fewer values are possible: requests that used the others fail. */
  narrower(what) {
    this.#add(this.direction === 'response' ? ADDITIVE : BREAKING, what);
  }

  unjudged(what) {
    this.#add(BREAKING, `${what}: cannot be judged`);
  }

  #add(verdict, what) {
    this.changes.push({ direction: this.direction, verdict, place: this.path.join(' › '), what });
  }

  /**
   * Calls `compare` with what `read` makes of both values, unless it compared the same pair in this direction before.
   * What both documents refer to by the same name is reported under that name.
   */
  enter(before, after, compare, read = resolve) {
    const isShared = isReference(before) && isReference(after) && before.$ref === after.$ref;
    const inner = isShared ? this.#with({ path: before.$ref.split('/').slice(-2) }) : this;
    const pair = [read(before, this.before), read(after, this.after)];
    const key = [this.direction, ...pair.map(identityOf)].join();
    if (this.seen.has(key)) return;
    this.seen.add(key);
    if (this.path.length > DEEPEST) inner.unjudged('nesting');
    else compare(...pair, inner);
  }

  /** The verdicts that `compare` would report. */
  verdictsOf(compare) {
    const probe = this.#with({ changes: [], effects: new Set(), seen: new Set(this.seen), isProbe: true });
    compare(probe);
    return new Set(probe.changes.map(({ verdict }) => verdict));
  }

  /** Whether `compare` finds that more values are possible, also where that was reported before. */
  isWider(compare) {
    const effects = new Set();
    compare(this.#with({ changes: [], effects, seen: new Set(this.isProbe ? this.seen : []), isProbe: true }));
    return effects.has('wider');
  }

  /** Whether both values say the same, word for word; references are followed, also those with keywords beside them. */
  isSame(before, after, seen = new Set()) {
    const pair = [resolve(before, this.before, isReference), resolve(after, this.after, isReference)];
    if (!pair.every((value) => typeof value === 'object' && value !== null)) return pair[0] === pair[1];
    const key = pair.map(identityOf).join();
    if (seen.has(key)) return true;
    seen.add(key);
    const [left, right] = pair;
    if (Array.isArray(left) !== Array.isArray(right) || Object.keys(left).length !== Object.keys(right).length)
      return false;
    if (tagNames(left) !== tagNames(right)) return false;
    return Object.keys(left).every(
      (name) => Object.hasOwn(right, name) && this.isSame(memberOf(left, name), memberOf(right, name), seen),
    );
  }
}

/** A reference that has keywords beside it is one of its members. */
const memberOf = (value, name) =>
  name === '$ref' && typeof value.$ref === 'string' ? { $ref: value.$ref } : value[name];

/** Beside a discriminator, the name of a schema is a value. */
const tagNames = ({ discriminator, oneOf = [], anyOf = [] }) =>
  discriminator && JSON.stringify([...oneOf, ...anyOf].map((alternative) => alternative?.$ref));

const identities = new WeakMap();
let lastIdentity = 0;

function identityOf(value) {
  if (!identities.has(value)) identities.set(value, (lastIdentity += 1));
  return identities.get(value);
}

/** A rule for text that only people read. */
export function documentation(before, after, context, name) {
  if (!context.isSame(before, after)) context.documentation(`${name} ${changed(before, after)}`);
}

/** The rule for everything that has no rule of its own. */
export function unjudged(before, after, context, name) {
  if (!context.isSame(before, after)) context.unjudged(`${name} ${shown(before)} → ${shown(after)}`);
}

/** The rule for what other rules cover. */
export const ignored = () => {};

/** Compares member by member: `rules` has a function `(before, after, context, name)` for each. */
export function compareBy(rules, before, after, context) {
  const [left, right] = [before, after].map((value) => (isObject(value) ? value : {}));
  for (const name of namesOf(left, right)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : unjudged;
    rule(left[name], right[name], context, name);
  }
}

/** Calls `added`, `removed` or `both` for each name, with the place that it names. */
export function compareEach(before = {}, after = {}, context, { added, removed, both }) {
  for (const name of namesOf(before, after)) {
    const inner = context.at(name);
    if (!Object.hasOwn(before, name)) added(after[name], inner);
    else if (!Object.hasOwn(after, name)) removed(before[name], inner);
    else both(before[name], after[name], inner);
  }
}

const changed = (before, after) => (before === undefined ? 'added' : after === undefined ? 'removed' : 'changed');
