import type { Contract } from '../platform/contract/contract.js';

interface Server {
  readonly url: string;
  readonly variables?: Readonly<Record<string, { readonly default: string }>>;
}

/** The origins of the contract's servers, except those with a relative URL. */
export function declaredOrigins({ document }: Contract): string[] {
  const { servers = [] } = document as { readonly servers?: readonly Server[] };
  return servers
    .map(({ url, variables = {} }) => url.replaceAll(/\{(.+?)\}/g, (_, name: string) => variables[name]?.default ?? ''))
    .filter((address) => /^https?:/.test(address) && URL.canParse(address))
    .map((address) => new URL(address).origin);
}
