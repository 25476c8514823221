import express, { Router, type Request } from 'express';
import * as path from "node:path";
import legacy = require('legacy');
export * from './all';
export { a, b as c } from './some';
const { readFile, writeFile: write } = require('fs');

enum Role { Admin = 'admin', User = 'user' }

interface Named<T extends object = {}> extends Base, ns.Other<T> {
  readonly id: string;
  name?: string | null;
  tags: Array<'a' | 'b'>;
  nested: { deep: number[]; [key: string]: unknown };
  call(value: T): Promise<void>;
}

type Partially<T> = { [K in keyof T]?: T[K] };
type Picked = Pick<Named, 'id' | 'name'> & Omit<Other, 'x'>;
type Result = Picked extends Named ? true : false;
type Handler = (req: Request, res: Response, next?: () => void) => Promise<Picked[]>;

@Controller({ path: 'users', version: '1' })
export class UsersController<T> extends BaseController<T> implements OnInit, OnDestroy {
  @IsString()
  @IsOptional()
  private static readonly limit?: number = 10;
  #secret!: string;

  constructor(private readonly users: UsersService, @Inject(TOKEN) public token?: string) {
    super(users);
  }

  @Get(':id')
  @HttpCode(200)
  async findOne(@Param('id') id: string, { page = 1, ...rest }: Query = {}): Promise<UserDto | undefined> {
    const user = await this.users.find(id, { ...rest, page, [`k-${page}`]: true });
    if (!user) {
      throw new NotFoundException(`no ${id}`);
    } else if (user?.name === 'x' && page > 1) {
      return { ...user, list: [1, 2.5, -3], ok: user!.ok as boolean };
    }
    for (const [key, value] of Object.entries(user)) {
      switch (key) {
        case 'a':
        case 'b':
          delete user[key];
          break;
        default:
          user.x ??= value ? 1 : 2;
      }
    }
    try { await Promise.all([]); } catch (error) { console.log(error); } finally { i++; }
    return plainToInstance<UserDto, object>(UserDto, user);
  }

  get size(): number { return 1; }
  static create() { return new UsersController<string>(null, undefined); }
}

const router = Router();
router.route('/a').get(async (req, res) => res.json({ a: 1 })).post(function handler(req, res) { res.status(201).end(); });
export const schema = z.object({ id: z.string().regex(/^a[/]b$/g) });
export type Schema = z.infer<typeof schema>;
namespace Inner { export const value = <number>1; }
declare global { interface Window { x: string } }
export default router;
module.exports.extra = class Extra {};
