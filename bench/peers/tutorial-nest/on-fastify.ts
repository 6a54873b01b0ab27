import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { start } from './start.js';

await start(await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter()));
