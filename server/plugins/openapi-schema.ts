declare module 'fastify' {
  /** What a route's schema tells the OpenAPI document beside shapes. */
  interface FastifySchema {
    summary?: string
    description?: string
    tags?: readonly string[]
  }
}

export {}
