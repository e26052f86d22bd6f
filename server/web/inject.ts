import type { InjectOptions, LightMyRequestResponse } from 'fastify'

/** Request without a socket: a path of this server, or a whole request. */
export type InjectedRequest = string | (InjectOptions & { url: string })

/** Handles a request from this process by the same routes as requests from outside. */
export type Inject = (request: InjectedRequest) => Promise<LightMyRequestResponse>
