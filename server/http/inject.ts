import type { InjectOptions, LightMyRequestResponse } from 'fastify'

/** A request without a socket: a path of this server, or what is to be sent there. */
export type InjectedRequest = string | (InjectOptions & { url: string })

/** Answers a request of this process by the very routes that answer those from outside. */
export type Inject = (request: InjectedRequest) => Promise<LightMyRequestResponse>
