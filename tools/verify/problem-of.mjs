/**
 * Why the instance cannot be verified, in one sentence; undefined when it can. Otherwise an instance that is unreachable or
 * refuses a key would differ in every row.
 */
export async function problemOf(instance, readKey) {
  try {
    if (await refuses(instance)) return 'The instance refuses the key with 401; give a valid --key.';
    // Not a valid body, so that it adds nothing.
    const written = await instance.call('POST', '/pets', { body: '{}' });
    if (written.status === 403) return 'The key may only read; give a --key of the scope write.';
    if (readKey && (await refuses(instance, { key: readKey }))) {
      return 'The instance refuses the read key with 401; give a valid --read-key.';
    }
    return undefined;
  } catch (error) {
    return error.message;
  }
}

async function refuses(instance, options) {
  return (await instance.call('GET', '/pets', options)).status === 401;
}
