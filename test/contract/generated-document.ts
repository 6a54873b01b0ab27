import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { addDeprecationHeaders } from './deprecation-headers.js';
import type { OpenApiDocument } from './open-api.js';

/** What @nestjs/swagger reads from controllers and DTOs, together with what the edge adds to it. */
export function generatedDocument(app: INestApplication): OpenApiDocument {
  const options = new DocumentBuilder().addSecurity('apiKey', { type: 'http', scheme: 'bearer' }).build();
  return addDeprecationHeaders(SwaggerModule.createDocument(app, options) as OpenApiDocument);
}
