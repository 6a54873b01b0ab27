import { Controller, Get, Param, Req, UseGuards } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

interface CustomerRequest extends Request {
  user?: string;
}

class CustomerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<CustomerRequest>();
    request.user = 'Ann';
    request.params.shop = '1';
    return true;
  }
}

@Controller('customers')
@UseGuards(CustomerGuard)
export class CustomersController {
  @Get()
  list(@Req() { user }: CustomerRequest, @Param('shop') shop: string): { seen: string[] } {
    return { seen: [`${user} of shop ${shop}`] };
  }
}
