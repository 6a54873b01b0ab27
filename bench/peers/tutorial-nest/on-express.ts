import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { start } from './start.js';

await start(await NestFactory.create(AppModule));
