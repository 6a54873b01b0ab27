import { createReadStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Controller, Get, Header, Inject, NotFoundException, Param, StreamableFile } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { CONTRACT } from '../platform/contract/contract.token.js';
import type { Contract } from '../platform/contract/contract.js';
import { writeJson } from '../platform/values/exact-json.js';
import { PAGE, START_SCRIPT } from './swagger-ui.js';

const SWAGGER_UI = import.meta.resolve('swagger-ui-dist/package.json');

/** File name to media type. */
const ASSETS = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['favicon-32x32.png', 'image/png'],
]);

/** Serves the contract and Swagger UI. Requires no key: the contract is public. */
@ApiExcludeController()
@Controller()
export class DocsController {
  readonly #json: string;
  readonly #yaml: string;

  constructor(@Inject(CONTRACT) contract: Contract) {
    this.#json = writeJson(contract.document);
    this.#yaml = contract.bytes.toString('utf8');
  }

  @Get('docs')
  @Header('Content-Type', 'text/html; charset=utf-8')
  page(): string {
    return PAGE;
  }

  @Get('docs/start.js')
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  script(): string {
    return START_SCRIPT;
  }

  /** Swagger UI's own files, limited to those that the page uses. */
  @Get('docs/:file')
  @Header('Cache-Control', 'public, max-age=3600')
  asset(@Param('file') file: string): StreamableFile {
    const type = ASSETS.get(file);
    if (!type) throw new NotFoundException(`No resource at /docs/${file}.`);
    return new StreamableFile(createReadStream(fileURLToPath(new URL(file, SWAGGER_UI))), { type });
  }

  @Get('openapi.yaml')
  @Header('Content-Type', 'application/yaml; charset=utf-8')
  yaml(): string {
    return this.#yaml;
  }

  @Get('openapi.json')
  @Header('Content-Type', 'application/json')
  json(): string {
    return this.#json;
  }
}
