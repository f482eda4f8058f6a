import { Registration } from '@watchpost/contract'

const { minLength } = Registration.properties.password as { minLength?: number }

/** What a new password must be, by the contract. */
export const passwordHint = `${minLength} characters or more`
