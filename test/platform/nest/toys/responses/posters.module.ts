import { Controller, Get, Header, Module, StreamableFile } from '@nestjs/common';
import { createReadStream } from 'node:fs';

@Controller('posters')
class PostersController {
  @Get('missing')
  @Header('Cache-Control', 'public, max-age=60')
  getMissing(): StreamableFile {
    return new StreamableFile(createReadStream('/no/such/secret.png'), { type: 'image/png' });
  }
}

/** Not a feature, and with a path of its own: outside the contract. */
@Module({ controllers: [PostersController] })
export class PostersModule {}
