// The practical limit: only Node, prepared statements, validation by hand and one commit for all pending creations.
import { respond, respondWithPet, serve } from './bare-server.mjs';
import { createPet, getPet, inOneCommit, listPets } from './store.mjs';

let waiting = [];

function commit() {
  const group = waiting;
  waiting = [];
  const pets = inOneCommit(() => group.map(({ newPet }) => createPet(newPet)));
  group.forEach(({ response }, index) => respond(response, 201, pets[index]));
}

serve({
  listPets: (response, limit, status) => respond(response, 200, listPets(limit, status)),
  getPet: (response, id) => respondWithPet(response, getPet(id)),
  createPet(response, newPet) {
    if (waiting.push({ newPet, response }) === 1) setImmediate(commit);
  },
});
