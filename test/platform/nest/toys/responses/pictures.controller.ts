import { Controller, Get, Header, NotFoundException, Param, Res, StreamableFile } from '@nestjs/common';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { Response } from 'express';

export const PICTURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff, 0x0d, 0x0a]);

function* halfAPicture(): Generator<Buffer> {
  yield PICTURE;
  throw new Error('the camera is broken');
}

const PICTURES: Record<string, () => StreamableFile> = {
  ball: () => new StreamableFile(PICTURE, { type: 'image/png', disposition: 'attachment; filename="ball.png"' }),
  part: () => new StreamableFile(Readable.from([PICTURE]), { type: 'image/png' }),
  stream: () => new StreamableFile(Readable.from([PICTURE, PICTURE]), { type: 'image/png' }),
  missing: () => new StreamableFile(createReadStream('/no/such/secret.png'), { type: 'image/png' }),
  half: () => new StreamableFile(Readable.from(halfAPicture()), { type: 'image/png' }),
};

/** Responses that are not JSON. */
@Controller()
export class PicturesController {
  @Get('pictures/:name')
  @Header('Cache-Control', 'public, max-age=60')
  getPicture(@Param('name') name: string, @Res({ passthrough: true }) response: Response): StreamableFile {
    if (name === 'part') response.status(206);
    const picture = PICTURES[name]?.();
    if (!picture) throw new NotFoundException(`There is no picture of ${name}.`);
    return picture;
  }

  @Get('labels/:name')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  getLabel(@Param('name') name: string): string {
    return `This is a ${name}.`;
  }
}
