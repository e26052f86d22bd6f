import { callApi } from '../api/client.ts'
import { leftOutLines } from '../../server/contract/left-out.ts'
import { notify, notifyFailure } from './toast.tsx'

/** Tells what the file that is being saved does not hold. */
export function tellLeftOut(): void {
  callApi('GET export').then(
    (file) => {
      const lines = leftOutLines(file)
      if (lines.length > 0) notify('Not all of it is in the file', lines.join(' '))
    },
    (error: unknown) => notifyFailure('The state could not be exported', error),
  )
}
