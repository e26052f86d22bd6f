import { messageOf } from '../../core/background.ts'
import type { DeliveryError } from '../../contract/control-deliveries.ts'
import type { DeliveryErrorClass } from '../../contract/words/webhook-words.ts'
import { DeadlineError } from './deadline-error.ts'
import { BlockedTargetError } from './target-policy.ts'
import { own } from '../../core/own.ts'

const classes: Readonly<Record<string, DeliveryErrorClass>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  ECONNABORTED: 'connection_reset',
  EPIPE: 'connection_reset',
  EHOSTUNREACH: 'network_unreachable',
  ENETUNREACH: 'network_unreachable',
  EHOSTDOWN: 'network_unreachable',
  ENETDOWN: 'network_unreachable',
  EADDRNOTAVAIL: 'network_unreachable',
  EACCES: 'network_unreachable',
  EINVAL: 'network_unreachable',
  ETIMEDOUT: 'connect_timeout',
  ENOTFOUND: 'dns_error',
  ENODATA: 'dns_error',
  EPROTO: 'tls_error',
}

// OpenSSL's error codes for certificates have no common prefix.
const tlsCode =
  /^(ERR_(TLS|SSL|OSSL)_|CERT_|CRL_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|OUT_OF_MEM)/

/** Maps an error of DNS, socket, TLS or HTTP parser to a delivery error class. */
export function classifyNetworkError(error: unknown): DeliveryError {
  if (error instanceof BlockedTargetError)
    return { class: 'blocked_target', message: error.message }
  if (error instanceof DeadlineError) {
    const { limit, message } = error
    return { class: limit === 'connect' ? 'connect_timeout' : 'timeout', message }
  }
  // Of several addresses, the first is the one that a user would expect to respond.
  if (error instanceof AggregateError && error.errors.length > 0) {
    const messages = error.errors.map(messageOf)
    return { ...classifyNetworkError(error.errors[0]), message: [...new Set(messages)].join('; ') }
  }
  const code = codeOf(error)
  const message = code === undefined || messageOf(error).includes(code) ? '' : ` (${code})`
  return { class: classOf(code), message: messageOf(error) + message }
}

function classOf(code: string | undefined): DeliveryErrorClass {
  if (code === undefined) return 'protocol_error'
  if (code.startsWith('EAI_')) return 'dns_error'
  if (tlsCode.test(code)) return 'tls_error'
  return own(classes, code) ?? 'protocol_error'
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
