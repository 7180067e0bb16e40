// Shows the description of this server with Swagger UI.
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';

const dark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();

const description = await (await fetch('openapi.json')).json();

// Requests go to the server of this page, below any path of a proxy, whatever its public URL is: the policy forbids all others.
const root = new URL('.', location.href).href.replace(/\/$/, '');
description.servers = [{ url: `${root}/api/v1` }];
for (const operation of Object.values(description.paths).flatMap(Object.values))
  if (operation.servers !== undefined) operation.servers = [{ url: root }];

SwaggerUI({
  dom_id: '#reference',
  spec: { ...description, externalDocs: { url: 'openapi.json', description: 'openapi.json' } },
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: 'none',
  filter: true,
  // The key stays in the memory of the page.
  persistAuthorization: false,
  // The address of the page chooses no other description.
  queryConfigEnabled: false,
  tryItOutEnabled: true,
  validatorUrl: null,
});
