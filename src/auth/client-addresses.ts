import { type BlockList, isIP, SocketAddress } from 'node:net';
import type { EdgeRequest } from '../platform/http/request/edge-request.js';

/** IPv4 within IPv6, as a server that listens on `::` sees it. */
const MAPPED = /^::ffff:([\d.]+)$/;

/** The addresses of clients. `X-Forwarded-For` is trusted as far as trusted proxies have written it. */
export class ClientAddresses {
  constructor(private readonly proxies: BlockList | undefined) {}

  /** An IPv4 address, or the /64 network of an IPv6 client, which can choose any address in it. */
  of({ socket, headers }: EdgeRequest): string {
    const connection = parse(socket.remoteAddress);
    // The connection is lost: no client reads the response.
    if (!connection) return '';
    if (!this.proxies) return networkOf(connection);
    // Node joins repeated ones with commas.
    const forwarded = String(headers['x-forwarded-for'] ?? '');
    return networkOf(behind(this.proxies, connection, forwarded));
  }
}

/** The nearest address that is not a trusted proxy's: each proxy has appended the address that called it. */
function behind(proxies: BlockList, connection: SocketAddress, forwarded: string): SocketAddress {
  const entries = forwarded.split(',');
  let address = connection;
  while (proxies.check(address)) {
    const next = parse(entries.pop());
    // Not an address: the last known one counts.
    if (!next) break;
    address = next;
  }
  return address;
}

/** Some proxies add a port, and IPv6 then has brackets. A zone has a meaning on one machine only. */
function parse(text = ''): SocketAddress | undefined {
  const bare = text
    .trim()
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/%.*$/, '');
  const version = isIP(bare);
  if (version === 0) return undefined;
  const address = new SocketAddress({ address: bare, family: version === 4 ? 'ipv4' : 'ipv6' });
  const mapped = MAPPED.exec(address.address)?.[1];
  return mapped === undefined ? address : new SocketAddress({ address: mapped, family: 'ipv4' });
}

function networkOf({ family, address }: SocketAddress): string {
  if (family === 'ipv4') return address;
  const [start = '', end = ''] = address.split('::');
  const before = groupsOf(start);
  const after = groupsOf(end);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':');
}
