import { compareBy, compareEach, documentation, unjudged } from '../context.mjs';
import { METHODS } from '../../contract/document.mjs';

/** Callers serve these operations: whatever changes in them but texts may break a caller. */
export function compareCallbacks(before, after, context) {
  compareEach(before, after, context.at('callbacks'), {
    added: (_, inner) => inner.breaking('callback added'),
    removed: (_, inner) => inner.breaking('callback removed'),
    both: (was, is, inner) => inner.enter(was, is, compareAddresses),
  });
}

function compareAddresses(before, after, context) {
  compareEach(before, after, context, {
    added: (_, inner) => inner.breaking('address added'),
    removed: (_, inner) => inner.breaking('address removed'),
    both: (was, is, inner) => inner.enter(was, is, (left, right, at) => compareBy(ITEM, left, right, at)),
  });
}

function compareCalled(before, after, context, method) {
  if (before === undefined || after === undefined) unjudged(before, after, context, method);
  else compareBy(TEXTS, before, after, context.at(method.toUpperCase()));
}

const TEXTS = { summary: documentation, description: documentation, externalDocs: documentation, tags: documentation };

const ITEM = { ...TEXTS, ...Object.fromEntries(METHODS.map((method) => [method, compareCalled])) };
