/** 1 to 64 letters with their marks, digits, punctuation, symbols and spaces: neither control nor format characters. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,64}$/u;

const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** What the log calls a key of the variable API_KEYS. */
const CONFIGURED = /^API_KEYS \d+$/i;

/** Why a new key must not have this name, in one sentence; undefined if it may. */
export function nameProblem(name: string): string | undefined {
  if (!PRINTABLE.test(name) || name !== name.trim())
    return 'The name is not valid; choose 1 to 64 letters, digits, punctuation marks, symbols and spaces, without a space at either end.';
  if (CONFIGURED.test(name))
    return `The name "${name}" is reserved for the log, where it means a key of the variable API_KEYS; choose another name.`;
  return undefined;
}

/** Escapes names, some perhaps older than the rules above, so that a terminal shows one line. JSON means the same. */
export function printableNames(text: string): string {
  return text.replaceAll(UNPRINTABLE, (character) =>
    Array.from({ length: character.length }, (_, at) => escaped(character.charCodeAt(at))).join(''),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
