// The programs of the cluster, each with its command and the variables that its configuration requires.
import { join } from 'node:path';
import { HAPROXY, POSTGRES } from './debian.mjs';
import { dataOf, DIRECTORY, NODES, PORTS } from './places.mjs';

export const ETCD_URL = `http://127.0.0.1:${PORTS.etcd}`;

export function etcd() {
  const peer = `http://127.0.0.1:${PORTS.etcdPeer}`;
  return {
    command: ['/usr/bin/etcd'],
    env: {
      ETCD_NAME: 'etcd',
      ETCD_DATA_DIR: join(DIRECTORY, 'etcd'),
      ETCD_LISTEN_CLIENT_URLS: ETCD_URL,
      ETCD_ADVERTISE_CLIENT_URLS: ETCD_URL,
      ETCD_LISTEN_PEER_URLS: peer,
      ETCD_INITIAL_ADVERTISE_PEER_URLS: peer,
      ETCD_INITIAL_CLUSTER: `etcd=${peer}`,
    },
  };
}

/** Patroni, which starts and stops the PostgreSQL of its node. */
export function patroni(node, passwords) {
  const address = `127.0.0.1:${PORTS[node]}`;
  const rest = `127.0.0.1:${PORTS[`${node}Rest`]}`;
  return {
    command: ['/usr/bin/patroni', join(DIRECTORY, 'patroni.yml')],
    env: {
      PATRONI_NAME: node,
      PATRONI_ETCD3_HOSTS: `127.0.0.1:${PORTS.etcd}`,
      PATRONI_RESTAPI_LISTEN: rest,
      PATRONI_RESTAPI_CONNECT_ADDRESS: rest,
      PATRONI_POSTGRESQL_LISTEN: address,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: address,
      PATRONI_POSTGRESQL_BIN_DIR: POSTGRES,
      PATRONI_POSTGRESQL_DATA_DIR: dataOf(node),
      PATRONI_POSTGRESQL_PGPASS: join(DIRECTORY, `${node}.pgpass`),
      PATRONI_SUPERUSER_USERNAME: 'postgres',
      PATRONI_SUPERUSER_PASSWORD: passwords.postgres,
      PATRONI_REPLICATION_USERNAME: 'replicator',
      PATRONI_REPLICATION_PASSWORD: passwords.replicator,
    },
  };
}

export function haproxy() {
  return {
    command: [HAPROXY, '-db', '-f', join(DIRECTORY, 'haproxy.cfg')],
    env: {
      HA_WRITE: String(PORTS.write),
      HA_READ: String(PORTS.read),
      ...Object.fromEntries(
        NODES.flatMap((node) => [
          [`HA_${node.toUpperCase()}`, String(PORTS[node])],
          [`HA_${node.toUpperCase()}_REST`, String(PORTS[`${node}Rest`])],
        ]),
      ),
    },
  };
}
