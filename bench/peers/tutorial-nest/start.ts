import { ClassSerializerInterceptor, type INestApplication, ValidationPipe } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

export async function start(app: INestApplication): Promise<void> {
  app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }));
  app.useGlobalInterceptors(new ClassSerializerInterceptor(app.get(Reflector)));
  await app.listen(process.env.PORT ?? 3000, process.env.HOST ?? '127.0.0.1');
}
