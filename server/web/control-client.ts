import type {
  ControlResponse,
  ControlArguments,
  ControlCall,
  ControlKey,
} from '../contract/control-call.ts'
import { controlRequest, type ControlRequest } from '../contract/control-request.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import { ControlError } from './control-error.ts'

/** Sends a request to a sandbox, over a socket or within the process. */
export type ControlTransport = (
  request: ControlRequest,
) => Promise<{ status: number; body: unknown }>

/** @throws {ControlError} for an error response */
export function createControlCall(transport: ControlTransport): ControlCall {
  const send = createSender(transport)
  return async <K extends ControlKey>(key: K, ...input: ControlArguments<K>) =>
    // The sandbox serializes responses by the schema of this type.
    (await send(controlRequest(key, ...input))) as ControlResponse<K>
}

/** Calls a method and path below `/_sandbox/api/`; the caller provides the type of the response. */
export type UntypedCall = <T>(method: string, path: string, body?: unknown) => Promise<T>

/** @throws {ControlError} for an error response */
export function createUntypedCall(transport: ControlTransport): UntypedCall {
  const send = createSender(transport)
  return async <T>(method: string, path: string, body?: unknown) =>
    (await send({ method, path, headers: {}, ...omitUndefined({ body }) })) as T
}

function createSender(transport: ControlTransport) {
  return async (request: ControlRequest): Promise<unknown> => {
    const { status, body } = await transport({
      ...request,
      path: `/_sandbox/api/${request.path}`,
    })
    if (status >= 400) throw new ControlError(status, body)
    return body
  }
}
