import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { addFixedHeaders } from './fixed-headers.js';
import { addIdempotencyKeys } from './idempotency-keys.js';
import type { OpenApiDocument } from './open-api.js';

/** The document that @nestjs/swagger generates from controllers and DTOs, with the headers of the HTTP layer. */
export function generatedDocument(app: INestApplication): OpenApiDocument {
  const options = new DocumentBuilder().addSecurity('apiKey', { type: 'http', scheme: 'bearer' }).build();
  const document = SwaggerModule.createDocument(app, options) as OpenApiDocument;
  return addFixedHeaders(addIdempotencyKeys(document));
}
