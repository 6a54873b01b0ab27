import { compareBy, compareEach, documentation } from '../context.mjs';
import { compareSchemas } from '../schemas/schemas.mjs';

/** Compares media types by name. A client may depend on each of them in both directions. */
export function compareContent(before = {}, after = {}, context) {
  const hadContent = Object.keys(before).length > 0;
  const [[was], [is]] = [before, after].map(Object.keys);
  // The first one is sent to a client without `Accept`.
  if (context.direction === 'response' && was !== is && was in after)
    context.breaking(`first media type ${was} → ${is}`);
  compareEach(before, after, context, {
    added: (_, inner) => (hadContent ? inner.wider('media type added') : inner.additive('body added')),
    removed: (_, inner) => inner.breaking('media type removed'),
    both: (left, right, inner) => compareBy(MEDIA_TYPE, left, right, inner),
  });
}

const MEDIA_TYPE = { example: documentation, examples: documentation, schema: compareSchemas };

/** The rules that parameters and headers have in common. */
export const FIELD = {
  ...MEDIA_TYPE,
  description: documentation,
  deprecated: documentation,
  required,
  content: compareFieldContent,
};

/** Written down, the style that a parameter or header has without one is no change. */
export function withStyle(field) {
  const style = { query: 'form', cookie: 'form' }[field.in] ?? 'simple';
  return { style, explode: (field.style ?? style) === 'form', ...field };
}

/** With a media type, the same value is written differently: a text in JSON has quotes. */
function compareFieldContent(before, after, context) {
  if (before === undefined) context.breaking('value gets a media type');
  else compareContent(before, after, context);
}

/** Whether a parameter, a body or a header must be there. */
export function required(before = false, after = false, context) {
  if (!before && after) context.narrower('became required');
  if (before && !after) context.wider('became optional');
}
