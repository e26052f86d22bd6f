/** Query of the requests to models. */
export const modelRequests = 'kind:inference'
