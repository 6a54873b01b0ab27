import { Module } from '@nestjs/common';
import { Basket, BasketController } from './basket.controller.js';
import { CustomersController } from './customers.controller.js';
import { ExpressToysController } from './express-toys.controller.js';
import { FailingToysController } from './failing-toys.controller.js';
import { GuardedToysController } from './guarded-toys.controller.js';
import { LateToysController } from './late-toys.controller.js';
import { Life } from './life.js';
import { NamedToysController } from './named-toys.controller.js';
import { ObservedToysController } from './observed-toys.controller.js';
import { HostedToysController, OpenToysController } from './open-toys.controller.js';
import { OrderedToysController } from './ordered-toys.controller.js';
import { PassedToysController } from './passed-toys.controller.js';
import { PicturesController } from './pictures.controller.js';
import { PipedToysController } from './piped-toys.controller.js';
import { PostersModule } from './posters.module.js';
import { SoldToysController } from './sold-toys.controller.js';
import { StoredToysController } from './stored-toys.controller.js';
import { ToySetsController } from './toy-sets.controller.js';
import { Trace } from './trace.js';

@Module({
  imports: [PostersModule],
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
    PassedToysController,
    PicturesController,
    PipedToysController,
    SoldToysController,
    StoredToysController,
    ToySetsController,
  ],
  providers: [Basket, Life, Trace],
})
export class ToysModule {}
