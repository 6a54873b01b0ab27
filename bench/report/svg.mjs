const FONT = 'system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif';

const escape = (text) => String(text).replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const attributes = (values) =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${typeof value === 'number' ? Number(value.toFixed(2)) : escape(value)}"`)
    .join('');

export const element = (name, values, ...content) => `<${name}${attributes(values)}>${content.join('')}</${name}>`;

export const label = (x, y, text, { anchor = 'start', size = 12, weight = 400, fill = '#24292f' } = {}) =>
  element('text', { x, y, 'text-anchor': anchor, 'font-size': size, 'font-weight': weight, fill }, escape(text));

/** The opaque background makes the picture readable on light and dark pages. */
export const picture = (width, height, title, ...content) =>
  `${element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, role: 'img', 'font-family': FONT },
    element('title', {}, escape(title)),
    element('rect', { width, height, fill: '#ffffff' }),
    ...content,
  )}\n`;
