// `bare` with the commits in another thread, so that a commit or a lock of another process delays no read.
/* eslint-disable unicorn/require-post-message-target-origin -- a port between threads has none */
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { respond, respondWithPet, serve } from './bare-server.mjs';
import { createPet, getPet, inOneCommit, listPets } from './store.mjs';

if (isMainThread) serveWith(new Worker(new URL(import.meta.url)));
else parentPort.on('message', (group) => parentPort.postMessage(inOneCommit(() => group.map(createPet))));

function serveWith(worker) {
  let waiting = [];
  let committing = [];

  function commit() {
    committing = waiting;
    waiting = [];
    worker.postMessage(committing.map(({ newPet }) => newPet));
  }

  worker.on('message', (pets) => {
    committing.forEach(({ response }, index) => respond(response, 201, pets[index]));
    committing = [];
    if (waiting.length > 0) commit();
  });

  serve({
    listPets: (response, limit, status) => respond(response, 200, listPets(limit, status)),
    getPet: (response, id) => respondWithPet(response, getPet(id)),
    createPet(response, newPet) {
      if (waiting.push({ newPet, response }) === 1 && committing.length === 0) setImmediate(commit);
    },
  });
}
