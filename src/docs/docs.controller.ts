import { Controller, Get, Header, Inject } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { CONTRACT } from '../contract/contract.token.js';
import type { Contract } from '../contract/contract.js';
import { writeDocument } from './document-json.js';
import { PAGE, START_SCRIPT } from './swagger-ui.js';

/** The contract itself, and Swagger UI over it. No key: a contract is no secret. */
@ApiExcludeController()
@Controller()
export class DocsController {
  readonly #json: string;
  readonly #yaml: string;

  constructor(@Inject(CONTRACT) contract: Contract) {
    this.#json = writeDocument(contract.document);
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
