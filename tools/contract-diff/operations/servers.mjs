import { compareBy, compareEach, documentation, ignored } from '../context.mjs';

/**
 * Compares the servers that an operation has, where it or its path declares some: those of the document are compared once
 * for all. `paths` has `{ item }` for both sides.
 */
export function compareOwnServers(before, after, paths, context) {
  const [were, are] = [before, after].map((operation, side) => operation.servers ?? paths[side].item.servers);
  if (were === undefined && are === undefined) return;
  compareServers(were ?? context.before.servers, are ?? context.after.servers, context);
}

/** Compares servers by their address with the default of each variable. The first one is the base path. */
export function compareServers(before, after, context) {
  const [were, are] = [before, after].map(byAddress);
  const inside = context.as('request').at('servers');
  const [[was], [is]] = [were, are].map(Object.keys);
  if (was !== is && was in are) inside.breaking(`first server ${was} → ${is}`);
  compareEach(were, are, inside, {
    added: (_, inner) => inner.additive('server added'),
    removed: (_, inner) => inner.breaking('server removed'),
    both: (left, right, inner) => compareBy(SERVER, left, right, inner),
  });
}

const DEFAULT = [{ url: '/' }];

const byAddress = (servers = DEFAULT) =>
  Object.fromEntries(
    (servers.length > 0 ? servers : DEFAULT).map((server) => [
      server.url.replace(/\{(.+?)\}/g, (_, name) => server.variables?.[name]?.default),
      server,
    ]),
  );

const SERVER = {
  url: ignored,
  description: documentation,
  variables: (before, after, context) =>
    compareEach(before, after, context, {
      added: (_, inner) => inner.additive('variable added'),
      removed: (_, inner) => inner.breaking('variable removed'),
      both: (left, right, inner) => compareBy({ description: documentation }, left, right, inner),
    }),
};
