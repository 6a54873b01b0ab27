import { Controller, Get, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { responds } from '../enhancers/responds.js';

export const HELP = '</help>; rel="help"';
const MORE = '</more>; rel="more"';

/** The ways in which a handler can set `Link`. */
export const LINK_WAYS: Record<string, (response: Response) => Response> = {
  setHeader: (response) => response.setHeader('Link', HELP),
  'writeHead and an object': (response) => response.writeHead(200, { Link: HELP }),
  'writeHead and an object in lower case': (response) => response.writeHead(200, { link: HELP }),
  'writeHead and a list': (response) => response.writeHead(200, ['Link', HELP]),
  'writeHead, a reason and an object': (response) => response.writeHead(200, 'Fine', { Link: HELP }),
  'writeHead, a reason and a list': (response) => response.writeHead(200, 'Fine', ['Link', HELP]),
  'writeHead, after another link with setHeader': (response) =>
    response.setHeader('Link', MORE).writeHead(200, { Link: HELP }),
};

@Controller('retired-toys')
export class RetiredToysController {
  @Get(':way')
  @UseGuards(
    responds((way, response) => {
      const { color } = response.req.query;
      if (color !== undefined) response.setHeader('X-Color', color as string);
      LINK_WAYS[way]!(response).end();
    }),
  )
  get(): void {}
}
