import { placeInSource } from '../process/place-in-source.js';
import { StartError } from '../process/start-error.js';

/** What the named groups of a pattern have found. */
type Found = Readonly<Record<'type' | 'module' | 'entity' | 'what' | 'index' | 'list' | 'value' | 'decorator', string>>;

interface Fault {
  /** Nest's message. Only it names the module. */
  readonly message: RegExp;
  /** The class where the fault is. */
  readonly at: (found: Found) => string;
  /** What is wrong, and what to do. */
  readonly words: (found: Found) => string;
}

const UNRESOLVED = /^Nest can't resolve dependencies of the (?<type>\w+)/.source;
const BREAK_UP = 'where two files import each other, move what both need into a third one';

/** The first that fits counts. */
const FAULTS: readonly Fault[] = [
  {
    message: RegExp(`${UNRESOLVED}.*argument at index \\[(?<index>\\d+)\\] is available in`),
    at: ({ type }) => type,
    words: ({ type, index }) =>
      `${type} takes an argument (index ${index} of its constructor) whose class is unknown at run time; import the class with "import" instead of "import type", name what is no class with @Inject(), and ${BREAK_UP}`,
  },
  {
    message: RegExp(`${UNRESOLVED}.*argument "KeysetTable<(?<entity>\\w+).*is available in the (?<module>\\w+) module`),
    at: ({ module }) => module,
    words: ({ type, module, entity }) =>
      `${module} lacks the table of ${entity} that ${type} takes; add DatabaseModule.forFeature(${entity}) to "imports" there`,
  },
  {
    message: RegExp(
      `${UNRESOLVED}.*argument "(?<entity>\\w+)Repository" at .*is available in the (?<module>\\w+) module`,
    ),
    at: ({ type }) => type,
    words: ({ type, module, entity }) =>
      `${type} takes a repository of TypeORM; take the table with @InjectTable(${entity}) instead, and add DatabaseModule.forFeature(${entity}) to "imports" of ${module}`,
  },
  {
    message: RegExp(
      `${UNRESOLVED}.*argument (?<what>.+) at index \\[\\d+\\] is available in the (?<module>\\w+) module`,
    ),
    at: ({ module }) => module,
    words: ({ type, module, what }) =>
      `${module} lacks ${described(what)} that ${type} takes; add it to "providers" there, or a module that exports it to "imports"`,
  },
  {
    message: RegExp(`${UNRESOLVED}.*the "(?<what>.+)" property is available`),
    at: ({ type }) => type,
    words: ({ type, what }) =>
      `the module of ${type} lacks what its property ${what} takes; add it to "providers" of the module, or a module that exports it to "imports"`,
  },
  {
    message:
      /^Nest cannot create the (?<module>\w+) instance\.\nThe \w+ at index \[(?<index>\d+)\] of the \w+ "(?<list>\w+)" array is undefined/,
    at: ({ module }) => module,
    words: ({ module, list, index }) =>
      `"${list}" of ${module} has undefined at index ${index}; name a class there, and ${BREAK_UP}`,
  },
  {
    message:
      /^Nest cannot create the (?<module>\w+) instance\.\nReceived an unexpected value at index \[(?<index>\d+)\].*\nThe received value `(?<value>.*)` is of type/,
    at: ({ module }) => module,
    words: ({ module, index, value }) =>
      `"imports" of ${module} has ${value} at index ${index}, which is no module; name a module there`,
  },
  {
    message:
      /^"(?<type>\w+)" is decorated with (?<decorator>@\w+\(\)) .* to the "(?<list>\w+)" array.*\nScope \[(?:.* -> )?(?<module>\w+)\]/s,
    at: ({ module }) => module,
    words: ({ type, decorator, module, list }) =>
      `"imports" of ${module} has ${type}, which is no module but has ${decorator}; move it to "${list}"`,
  },
  {
    message: /^Nest cannot export a provider\/module .*\((?<module>\w+)\).* the exported (?<what>.+) is available/,
    at: ({ module }) => module,
    words: ({ module, what }) =>
      `${module} exports ${what}, which it neither provides nor imports; add it to "providers" or "imports" there, or remove it from "exports"`,
  },
  {
    message: /^Nest cannot create the (?<module>\w+) instance\.\nThe provider (?<what>.+) in the \w+ "providers" array/,
    at: ({ module }) => module,
    words: ({ module, what }) =>
      `"providers" of ${module} has nothing behind ${what}; give it one of "useClass", "useValue", "useFactory" and "useExisting", and ${BREAK_UP}`,
  },
  {
    message: /^A circular dependency has been detected inside "?(?<type>\w+)"?\./,
    at: ({ type }) => type,
    words: ({ type }) => `${type} needs a class that needs ${type} itself; move what both need into a third class`,
  },
  {
    message: /^An invalid controller has been detected\. "(?<type>\w+)"/,
    at: ({ type }) => type,
    words: ({ type }) =>
      `${type} is in "controllers" of a module, but lacks @Controller(); add the decorator, or move the class to "providers"`,
  },
];

/** A class as Nest names it, or a token in quotes. */
function described(what: string): string {
  const place = placeInSource(what);
  return place === undefined ? what : `${what} (${place})`;
}

/**
 * The StartError for an error with which Nest refuses the modules of the application: one sentence instead of a page about all
 * possible causes. Undefined for any other error.
 */
export function compositionFault(error: unknown): StartError | undefined {
  if (!(error instanceof Error)) return undefined;
  for (const { message, at, words } of FAULTS) {
    const found = message.exec(error.message)?.groups as Found | undefined;
    if (!found) continue;
    const place = placeInSource(at(found));
    return new StartError(`${place === undefined ? '' : `${place} `}${words(found)}.`);
  }
  return undefined;
}
