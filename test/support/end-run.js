import { rmSync } from 'node:fs';

export default function removeRunDirectory() {
  rmSync(process.env.TEST_RUN_DIRECTORY, { recursive: true, force: true });
}
