const DOCS = 'src/docs/docs.controller.ts';
const HEALTH = 'src/health/health.controller.ts';

/** Health and documentation. */
export default [
  {
    mistake: 'a service that is not ready returns 200',
    file: HEALTH,
    text: `if (report.status !== 'ready') response.status(HttpStatus.SERVICE_UNAVAILABLE);`,
    replacement: '',
    tests: 'pages/health',
    promise: 'reports the database when it is unavailable',
  },
  {
    mistake: 'a service that stops is ready',
    file: 'src/health/readiness.ts',
    text: '!this.adapters.httpAdapter.isDraining',
    replacement: 'true',
    tests: 'pages/health',
    promise: 'reports draining while the service is stopping',
  },
  {
    mistake: 'each probe checks the database',
    file: 'src/platform/database/database-health.ts',
    text: 'this.#running ??= ',
    replacement: 'this.#running = ',
    tests: 'pages/health',
    promise: 'checks the database once for requests that arrive together',
  },
  {
    mistake: 'scripts have the media type of bytes',
    file: DOCS,
    text: `'swagger-ui-bundle.js': 'text/javascript; charset=utf-8'`,
    replacement: `'swagger-ui-bundle.js': 'application/octet-stream'`,
    tests: 'pages/docs',
    promise: 'serves every file that the page references',
  },
  {
    mistake: 'the contract has the media type of text',
    file: DOCS,
    text: `'application/yaml; charset=utf-8'`,
    replacement: `'text/plain; charset=utf-8'`,
    tests: 'pages/docs',
    promise: 'serves the contract byte for byte at /openapi.yaml',
  },
  {
    mistake: 'the page works with TLS only',
    file: 'src/docs/docs.module.ts',
    text: '  upgradeInsecureRequests: null,\n',
    replacement: '',
    tests: 'pages/docs',
    promise: 'sends strict security headers: /docs',
  },
  {
    mistake: 'Swagger UI forgets the key',
    file: 'src/docs/swagger-ui.ts',
    text: 'persistAuthorization: true',
    replacement: 'persistAuthorization: false',
    tests: 'pages/docs',
    promise: 'serves Swagger UI with the contract at /docs',
  },
  {
    mistake: 'Swagger UI shows the servers as templates',
    file: 'src/docs/swagger-ui.ts',
    text: 'plugins: [exactBodies, resolvedServers],',
    replacement: 'plugins: [exactBodies],',
    tests: 'pages/swagger-ui',
    promise: 'offers the addresses of the servers, and the one that serves the page first',
  },
];
