import { CanActivate, ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';
import { createHash, timingSafeEqual } from 'node:crypto';

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

@Injectable()
export class ApiKeyGuard implements CanActivate {
  private readonly expected = hash(process.env.API_KEYS ?? '');

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<{ headers: Record<string, string | undefined> }>();
    const [type, token] = request.headers.authorization?.split(' ') ?? [];
    if (type === 'Bearer' && token && timingSafeEqual(hash(token), this.expected)) return true;
    throw new UnauthorizedException();
  }
}
