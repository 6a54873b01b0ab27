import { Module } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { Basket, BasketController } from './requests/basket.controller.js';
import { CustomersController } from './enhancers/customers.controller.js';
import { ExpressToysController } from './responses/express-toys.controller.js';
import { FailingToysController } from './enhancers/failing-toys.controller.js';
import { GuardedToysController } from './enhancers/guarded-toys.controller.js';
import { LateToysController } from './responses/late-toys.controller.js';
import { Life } from './life.js';
import { NamedToysController } from './requests/named-toys.controller.js';
import { ObservedToysController } from './enhancers/observed-toys.controller.js';
import { HostedToysController, OpenToysController } from './requests/open-toys.controller.js';
import { OrderedToysController } from './responses/ordered-toys.controller.js';
import { PicturesController } from './responses/pictures.controller.js';
import { PipedToysController } from './requests/piped-toys.controller.js';
import { PostersModule } from './responses/posters.module.js';
import { RetiredToysController } from './responses/retired-toys.controller.js';
import { SoldToysController } from './enhancers/sold-toys.controller.js';
import { StoredToysController } from './responses/stored-toys.controller.js';
import { WrittenToysController } from './responses/written-toys.controller.js';
import { ToySetsController } from './requests/toy-sets.controller.js';
import { Trace } from './trace.js';

@Module({
  imports: [PostersModule, RouterModule.register([{ path: '/', module: PostersModule }])],
  controllers: [
    BasketController,
    CustomersController,
    ExpressToysController,
    FailingToysController,
    GuardedToysController,
    HostedToysController,
    LateToysController,
    NamedToysController,
    ObservedToysController,
    OpenToysController,
    OrderedToysController,
    PicturesController,
    PipedToysController,
    RetiredToysController,
    SoldToysController,
    StoredToysController,
    ToySetsController,
    WrittenToysController,
  ],
  providers: [Basket, Life, Trace],
})
export class ToysModule {}
