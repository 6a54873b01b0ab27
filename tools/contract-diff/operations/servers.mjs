import { compareBy, compareEach, documentation, ignored } from '../context.mjs';

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

const byAddress = (servers = [{ url: '/' }]) =>
  Object.fromEntries(
    servers.map((server) => [server.url.replace(/\{(.+?)\}/g, (_, name) => server.variables?.[name]?.default), server]),
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
