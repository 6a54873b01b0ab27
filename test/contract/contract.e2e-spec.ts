import { describe, expect, it } from '@jest/globals';
import { compareDocuments } from './compare-documents.js';
import { DELIBERATE_DIFFERENCES } from './deliberate-differences.js';
import { generatedDocument } from './generated-document.js';
import { readOpenApi } from './open-api.js';
import { places } from './places.js';
import { startApp } from '../support/start-app.js';

describe('openapi.yaml and the code', () => {
  it('describe the same interface', async () => {
    const { app } = await startApp();
    expect(compareDocuments(readOpenApi(), generatedDocument(app))).toEqual([]);
  });
});

describe('compareDocuments', () => {
  it('reports no difference between openapi.yaml and itself', () => {
    expect(compareDocuments(readOpenApi(), places().document)).toEqual([]);
  });

  it.each(DELIBERATE_DIFFERENCES)('reports: %s', (sentence, change) => {
    const code = places();
    change(code);
    expect(compareDocuments(readOpenApi(), code.document)).toEqual([sentence]);
  });
});
