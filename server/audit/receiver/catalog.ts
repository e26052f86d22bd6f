import type { ReceiverModule } from './module.ts'
import { againModules } from './modules/again.ts'
import { bodyModules } from './modules/body.ts'
import { futureModules } from './modules/future.ts'
import { httpModules } from './modules/http.ts'
import { orderModules } from './modules/order.ts'
import { secretModules } from './modules/secret.ts'
import { shapeModules } from './modules/shape.ts'
import { sizeModules } from './modules/size.ts'
import { standardModules } from './modules/standard.ts'
import { timeModules } from './modules/time.ts'

/** All modules of the receiver audit, in the order in which they run. */
export const receiverModules: readonly ReceiverModule[] = [
  ...secretModules,
  ...bodyModules,
  ...futureModules,
  ...shapeModules,
  ...sizeModules,
  ...againModules,
  ...orderModules,
  ...timeModules,
  ...httpModules,
  ...standardModules,
]
