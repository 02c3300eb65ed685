/** Hashes by which a password is known again, and from which it is not found. */
export interface Passwords {
  hash(password: string): Promise<string>
  /**
   * Whether a password is the one that was hashed. Without a hash it is not, and the same work is done, so that the time
   * it takes does not tell which addresses have an account.
   */
  matches(password: string, password_hash: string | null): Promise<boolean>
}
