/**
 * Why the instance cannot be verified, in one sentence; undefined when it can. Otherwise an instance that is unreachable or
 * refuses a key would differ in every row.
 */
export async function problemOf(instance, readKey) {
  try {
    const { status, headers } = await instance.call('GET', '/pets');
    if (status === 401) return 'The instance refuses the key with 401; give a valid --key.';
    if (status === 404) return 'The instance has no pets below the address; give --url with the version, such as /v1.';
    if (status >= 300 && status < 400)
      return `The instance redirects with ${status} to ${headers.get('location')}; correct --url.`;
    if (status === 429) return 'The instance limits requests for more than a minute; raise RATE_LIMIT, or try later.';
    // Not a valid body, so that it adds nothing.
    const written = await instance.call('POST', '/pets', { body: '{}' });
    if (written.status === 403) return 'The key may only read; give a --key of the scope write.';
    if (readKey && (await instance.call('GET', '/pets', { key: readKey })).status === 401) {
      return 'The instance refuses the read key with 401; give a valid --read-key.';
    }
    return undefined;
  } catch (error) {
    return error.message;
  }
}
