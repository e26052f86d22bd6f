import type { ReceiverModule } from './receiver-module.ts'
import { againModules } from './modules/again-module.ts'
import { bodyModules } from './modules/body-module.ts'
import { futureModules } from './modules/future-module.ts'
import { httpModules } from './modules/http-module.ts'
import { orderModules } from './modules/order-module.ts'
import { secretModules } from './modules/secret-module.ts'
import { shapeModules } from './modules/shape-module.ts'
import { sizeModules } from './modules/size-module.ts'
import { standardModules } from './modules/standard-module.ts'
import { timeModules } from './modules/time-module.ts'

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
