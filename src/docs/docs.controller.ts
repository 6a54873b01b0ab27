import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { Controller, Get, Header, Inject, NotFoundException, Param, StreamableFile } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { CONTRACT } from '../platform/contract/contract.token.js';
import type { Contract } from '../platform/contract/contract.js';
import { writeJson } from '../platform/values/exact-json.js';
import { PAGE, START_SCRIPT } from './swagger-ui.js';

const SWAGGER_UI = import.meta.resolve('swagger-ui-dist/package.json');

/** Media types of Swagger UI's own files, limited to those that the page uses. */
const ASSETS = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

/** Bytes that are passed to a connection at once: a slow client has no more than these waiting for it. */
const PIECE = 65_536;

/** Serves the contract and Swagger UI. Requires no key: the contract is public. */
@ApiExcludeController()
@Controller()
export class DocsController {
  readonly #json: string;
  readonly #yaml: string;
  /** In memory, so that downloads need neither files nor threads. */
  readonly #assets = new Map(
    Object.entries(ASSETS).map(([file, type]) => [file, { type, bytes: readFileSync(new URL(file, SWAGGER_UI)) }]),
  );

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

  @Get('docs/:file')
  @Header('Cache-Control', 'public, max-age=3600')
  asset(@Param('file') file: string): StreamableFile {
    const asset = this.#assets.get(file);
    if (!asset) throw new NotFoundException(`No resource at /docs/${file}.`);
    const { type, bytes } = asset;
    return new StreamableFile(Readable.from(piecesOf(bytes)), { type, length: bytes.length });
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

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += PIECE) yield bytes.subarray(start, start + PIECE);
}
