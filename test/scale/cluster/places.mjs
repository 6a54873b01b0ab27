// Directories and ports of the cluster on loopback.
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const DIRECTORY = join(tmpdir(), 'pet-store-ha');

export const NODES = ['node1', 'node2'];

export const PORTS = {
  write: 15_000,
  read: 15_001,
  etcd: 15_002,
  etcdPeer: 15_003,
  node1: 15_011,
  node1Rest: 15_012,
  node2: 15_021,
  node2Rest: 15_022,
};

export const dataOf = (node) => join(DIRECTORY, node);
