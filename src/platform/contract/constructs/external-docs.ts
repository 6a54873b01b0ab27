import { isReference } from '../schemas/formats.js';
import { type Construct, documentation, type Rule } from './construct.js';

/** A deprecated operation has it in its `Link` header. */
const url: Rule = (node) => {
  if (!isReference(node.text())) node.fail('"url" must be a URI reference; encode other characters');
};

export const externalDocs: Construct = {
  name: 'external documentation',
  members: { description: documentation, url },
};
