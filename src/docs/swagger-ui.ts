/** Swagger UI's page. The script is a separate file because the security policy forbids inline scripts. */
export const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Pet Store</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/**
 * Starts Swagger UI. By default it parses JSON bodies, which rounds integers beyond 2^53: a plugin indents the text of the
 * body instead and passes it on as plain text. By default it offers the servers of the contract as templates: another
 * plugin replaces them with their addresses.
 */
export const START_SCRIPT = String.raw`
function indent(json) {
  let depth = 0;
  return json.replace(/"(?:[^"\\]|\\.)*"|\[\]|\{\}|[[{\]},:]/g, (token) => {
    if (token === '[' || token === '{') return token + line((depth += 1));
    if (token === ']' || token === '}') return line((depth -= 1)) + token;
    if (token === ',') return token + line(depth);
    return token === ':' ? ': ' : token;
  });
}

function line(depth) {
  return '\n' + '  '.repeat(depth);
}

const exactBodies = ({ React }) => ({
  wrapComponents: {
    responseBody: (Body) => (props) =>
      React.createElement(
        Body,
        /^application\/json/.test(props.contentType) && typeof props.content === 'string'
          ? { ...props, content: indent(props.content), contentType: 'text/plain' }
          : props,
      ),
  },
});

function addressOf({ url, variables = {} }) {
  const address = url.replace(/\{(.+?)\}/g, (_, name) => variables[name].default);
  return new URL(address, location.href).href;
}

const resolvedServers = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (update) => (document) =>
          update({
            ...document,
            servers: document.servers.map((server) => ({ description: server.description, url: addressOf(server) })),
          }),
      },
    },
  },
});

SwaggerUIBundle({
  url: '/openapi.yaml',
  dom_id: '#swagger-ui',
  deepLinking: true,
  persistAuthorization: true,
  validatorUrl: null,
  plugins: [exactBodies, resolvedServers],
});
`;
