import { Body, Controller, Get, Param, Post, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { responds } from '../enhancers/responds.js';
import { Toy } from '../toy.dto.js';

/** The responses for which the callback of `end` was called. */
export const responded: Response[] = [];

const WAYS: Record<string, (response: Response) => unknown> = {
  json: (response) => response.status(200).json({ name: 'Ball' }),
  send: (response) => response.send({ name: 'Ball' }),
  'send-text': (response) => response.type('json').send('{"name":"Ball"}'),
  end: (response) => response.type('application/json').end('{"name":"Ball"}'),
  locals: (response) => {
    response.locals = { name: 'Ball' };
    return response.json(response.locals);
  },
  'send-status': (response) => response.sendStatus(204),
  nothing: (response) => response.status(204).send(),
  teapot: (response) => response.status(418).json({ name: 'Teapot' }),
  'bad-gateway': (response) => response.status(502).json({ name: 'Ball' }),
  'end-bytes': (response) => response.type('application/json').end(new TextEncoder().encode('{"name":"Ball"}')),
  'end-hex': (response) => response.type('application/json').end('7b226e616d65223a2242616c6c227d', 'hex'),
  'end-callback': (response) =>
    response.type('application/json').end('{"name":"Ball"}', () => responded.push(response)),
};

function described(response: Response): object {
  const request = response.req;
  const { method, url, originalUrl, baseUrl, path, params, query, ip, ips, protocol, secure } = request;
  return {
    method,
    url,
    originalUrl,
    baseUrl,
    path,
    params,
    query,
    ip,
    ips,
    protocol,
    secure,
    route: (request.route as { path: string }).path,
    get: request.get('X-Color'),
    header: request.header('x-color'),
    referrer: request.get('Referrer'),
    hostname: request.hostname,
    subdomains: request.subdomains,
    xhr: request.xhr,
    fresh: request.fresh,
    stale: request.stale,
    accepts: request.accepts('html', 'json'),
    acceptsLanguages: request.acceptsLanguages('de', 'en'),
    range: request.range(100),
    is: request.is('json'),
    hasResponse: request.res === response && response.req === request,
    isOfApp: response.app === request.app && request.app.disabled('x-powered-by'),
  };
}

@Controller()
export class ExpressToysController {
  @Get('express-toys/:toyId')
  @UseGuards(responds((_, response) => response.json(described(response))))
  get(): void {}

  @Post('express-toys')
  add(@Body() toy: Toy, @Res({ passthrough: true }) response: Response): Toy {
    response.locals.name = toy.name;
    response
      .set('X-Wrapped', 'paper')
      .cookie('toy', toy.name, { httpOnly: true })
      .vary('X-Color')
      .location('/v1/open-toys')
      .links({ next: '/v1/open-toys' });
    return { name: `${response.locals.name} in ${response.get('X-Wrapped')}` };
  }

  @Get('express-responses/:way')
  @UseGuards(responds((way, response) => WAYS[way]!(response)))
  respond(): void {}

  @Get('accepted-toys/:toyId')
  accept(@Param('toyId') toyId: string, @Res({ passthrough: true }) response: Response): Toy {
    response.status(202).append('X-Wrapped', 'paper');
    return { name: toyId };
  }
}
