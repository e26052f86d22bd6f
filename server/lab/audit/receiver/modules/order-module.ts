import { judgeAccepted, receiverModule, type ReceiverModule } from '../receiver-module.ts'

export const orderModules: readonly ReceiverModule[] = [
  receiverModule({
    id: 'order/late',
    plan: 'full',
    title: 'The receiver refuses a delivery that comes after a newer one.',
    sends: 'a push, then the push before it',
    expected: 'The receiver accepts both: deliveries may arrive in any order.',
    level: 'warning',
    fix: 'Compare the commit of a payload with what you have handled, and respond with 2xx to an older one.',
    async provoke(receiver) {
      const older = receiver.payload('repo.content.update')
      const newer = receiver.payload('repo.content.update')
      return judgeAccepted([
        { what: 'the newer push', reaction: await receiver.send({ payload: newer }) },
        { what: 'the older push after it', reaction: await receiver.send({ payload: older }) },
      ])
    },
  }),
]
