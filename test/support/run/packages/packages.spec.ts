import { describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsInt, MetadataStorage } from 'class-validator';
import { createRequire } from 'node:module';
import { DataSource, getMetadataArgsStorage } from 'typeorm';
import { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';

const load = createRequire(import.meta.url);

describe('a package of the bundle', () => {
  it('has one copy, however it is loaded', async () => {
    expect(load('class-validator')).toMatchObject({ IsInt, MetadataStorage });
    expect(load('@nestjs/common')).toMatchObject({ Injectable, Module });
    expect(load('typeorm')).toMatchObject({ DataSource });
    expect(await import('typeorm')).toMatchObject({ DataSource });
    expect(load('typeorm/metadata/ColumnMetadata.js')).toMatchObject({ ColumnMetadata });
  });

  it('keeps the names of classes', () => {
    expect([DataSource.name, ColumnMetadata.name, MetadataStorage.name]).toEqual([
      'DataSource',
      'ColumnMetadata',
      'MetadataStorage',
    ]);
    expect(NestFactory.constructor.name).toBe('NestFactoryStatic');
  });

  it('uses the global objects of the test file', () => {
    expect(getMetadataArgsStorage().tables).toBeInstanceOf(Array);
    expect(new DataSource({ type: 'better-sqlite3', database: ':memory:' }).options).toBeInstanceOf(Object);
  });
});
