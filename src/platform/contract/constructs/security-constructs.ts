import { type Construct, documentation, listOf, type Rule, text } from './construct.js';

const HTTP_BEARER = 'only HTTP bearer authentication is supported';

export const securityScheme: Construct = {
  name: 'a security scheme',
  members: {
    type: text,
    description: documentation,
    scheme: text,
    bearerFormat: documentation,
    name: documentation,
    in: documentation,
    flows: documentation,
    openIdConnectUrl: documentation,
  },
  // The other members belong to other types.
  whole: (node) => {
    const isBearer = node.get('type')?.value === 'http' && /^bearer$/i.test(String(node.get('scheme')?.value));
    if (!isBearer) node.fail(HTTP_BEARER);
    for (const name of ['name', 'in', 'flows', 'openIdConnectUrl']) {
      node
        .written()
        .find(({ key }) => key === name)
        ?.failAtName(`"${name}" does not belong to HTTP bearer authentication; remove it`);
    }
  },
};

/** One scheme without scopes. Several would have to be combined; an empty requirement would make the key optional. */
const requirement: Rule = (node) => {
  const schemes = node.written();
  if (schemes.length === 0) node.fail('optional security is not supported; name a scheme, or set "security: []"');
  if (schemes.length > 1) node.fail('a combination of security schemes is not supported; name one scheme');
  for (const scheme of schemes) {
    if (!Array.isArray(scheme.value)) scheme.fail(`"${scheme.key}" must be a list`);
    else if (scheme.value.length > 0) scheme.fail('scopes are not supported; leave the list empty');
  }
};

export const securityRequirements: Rule = (node, walk) => {
  listOf(requirement)(node, walk);
  if (node.written().length > 1) node.fail('alternative security schemes are not supported; name one scheme');
};
