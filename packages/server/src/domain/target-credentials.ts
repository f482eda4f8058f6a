const isWeb = (type: unknown) => type === 'http' || type === 'https'

/** A target as those see it who may not see credentials: a URL may hold some. */
export const openTarget = (type: unknown, target: string) =>
  isWeb(type) ? target.replace(/^([a-z]+:\/\/)[^/?#\\]*@/i, '$1***@') : target
