<?php
// The client of hc-checkout for a shop's backend in PHP 8.1 or newer with the extension curl:
// sessions, payments and verified notices. One file, to be copied into the shop: require
// 'HcCheckout.php'. Described in client.md.
declare(strict_types=1);

namespace HcCheckout;

/**
 * A call that failed. The message says what happened and what to do; it has no key and no payer in
 * it.
 */
final class CheckoutException extends \RuntimeException
{
    /**
     * Of the companion's own refusal, or `network`, `redirected`, `not_the_companion`. Branch on
     * it.
     */
    public readonly string $problem;
    /** The HTTP status; 0 where no answer came. */
    public readonly int $status;
    /** The first field that does not fit, for example `payer.phone`. */
    public readonly ?string $field;
    /** Every field that does not fit. */
    public readonly array $issues;
    /** Seconds to wait before the next call. */
    public readonly ?int $retryAfter;
    /** Names the request in the companion's log. */
    public readonly ?string $requestId;

    public function __construct(string $problem, string $message, int $status = 0, array $details = [])
    {
        parent::__construct($message);
        $this->problem = $problem;
        $this->status = $status;
        $this->issues = $details['issues'] ?? [];
        $this->field = array_values(array_filter(array_column($this->issues, 'path')))[0] ?? null;
        $this->retryAfter = $details['retryAfter'] ?? null;
        $this->requestId = $details['requestId'] ?? null;
    }
}

/**
 * A request that is no notice to act upon: `unsigned`, `forged` or `out_of_time` (answer 401), or
 * `unreadable`.
 */
final class NoticeException extends \RuntimeException
{
    public function __construct(public readonly string $fault, string $message)
    {
        parent::__construct($message);
    }
}

/**
 * Reads, `createSession` and `refresh` are tried again when no answer comes or the companion is
 * busy; `resend` and `decide` never are.
 */
final class Client
{
    private const PASSING = [408, 429, 500, 502, 503, 504];
    /** A longer pause is the caller's to wait out. */
    private const LONGEST_PAUSE_S = 20;
    private const ADVICE = [
        'bearer_missing' => 'Give the client the key that the companion has as HC_MERCHANT_KEY.',
        'bearer_malformed' => 'Give the client the key that the companion has as HC_MERCHANT_KEY.',
        'bearer_wrong' => 'Give the client the key that the companion has as HC_MERCHANT_KEY.',
        'not_found' => 'See whether the id is right, and whether it was made by this companion.',
    ];

    /**
     * @param string $url the companion's address, for example https://pay.shop.example
     * @param string $key the companion's HC_MERCHANT_KEY; it belongs in no page
     * @param int $timeout seconds that one try may take
     */
    public function __construct(
        private string $url,
        #[\SensitiveParameter] private string $key,
        private int $timeout = 10,
        private int $retries = 2,
    ) {
        if (preg_match('~^https?://[^/]~', $url) !== 1) {
            throw new \InvalidArgumentException('url is no address. Give that of the companion, for example https://pay.shop.example.');
        }
        if (preg_match('/^[\x21-\x7e]+$/D', $key) !== 1) {
            throw new \InvalidArgumentException('key is empty or has other characters than a key has. Give HC_MERCHANT_KEY of the companion.');
        }
        $this->url = rtrim($url, '/');
    }

    /**
     * The session of an order: the one that it has, or a new one. Ask whenever the page is loaded.
     */
    public function createSession(array $order, ?string $idempotencyKey = null): array
    {
        // With it, a repeat whose first answer was lost gets that answer.
        $headers = ['Idempotency-Key: ' . ($idempotencyKey ?? bin2hex(random_bytes(16)))];
        return $this->ask('POST', '/v1/sessions', 'token', true, $order, $headers);
    }

    public function session(string $id): array
    {
        return $this->ask('GET', '/v1/sessions/' . self::part($id), 'token', true);
    }

    /**
     * Every payment that fits, newest first: foreach ($client->payments(['status' => 'SUCCESS'])
     * as $payment).
     */
    public function payments(array $filter = []): \Generator
    {
        do {
            $page = $this->paymentsPage($filter);
            yield from array_values($page['payments']);
            $filter['cursor'] = $page['nextCursor'] ?? null;
        } while ($filter['cursor'] !== null);
    }

    /** One page; the next one has the `nextCursor` of this one as `cursor`. */
    public function paymentsPage(array $filter = []): array
    {
        return $this->ask('GET', '/v1/payments?' . http_build_query($filter, '', '&', PHP_QUERY_RFC3986), 'payments', true);
    }

    /** One payment by its id or its reference, with its story and its notices. */
    public function payment(string $id): array
    {
        return $this->ask('GET', '/v1/payments/' . self::part($id), 'timeline', true);
    }

    /** Has the companion ask the payment service now. */
    public function refresh(string $id): array
    {
        return $this->ask('POST', '/v1/payments/' . self::part($id) . '/refresh', 'phase', true);
    }

    /** Has the notices of a payment sent again; returns how many. */
    public function resend(string $id): int
    {
        return $this->ask('POST', '/v1/payments/' . self::part($id) . '/notices', 'requeued', false)['requeued'];
    }

    /** Ends a payment in review: `succeeded` or `failed`, for a reason, by the name of a person. */
    public function decide(string $id, string $outcome, string $reason, string $by): array
    {
        $decision = ['outcome' => $outcome, 'reason' => $reason, 'by' => $by];
        return $this->ask('POST', '/v1/payments/' . self::part($id) . '/decision', 'phase', false, $decision);
    }

    private static function part(string $id): string
    {
        if ($id === '') {
            throw new \InvalidArgumentException('Give the id as a text that is not empty.');
        }
        return rawurlencode($id);
    }

    /**
     * @param string $answersWith a field of each answer of the companion: what does not have it
     * comes from something else
     */
    private function ask(string $method, string $path, string $answersWith, bool $repeatable, ?array $body = null, array $headers = []): array
    {
        for ($tried = 0; ; $tried++) {
            [$status, $text, $pause, $fault] = $this->once($method, $path, $body, $headers);
            $isPassing = $status === 0 || (in_array($status, self::PASSING, true) && $pause <= self::LONGEST_PAUSE_S);
            if (!$repeatable || !$isPassing || $tried >= $this->retries) {
                break;
            }
            usleep($pause > 0 ? $pause * 1_000_000 : random_int(0, 300_000 * 2 ** $tried));
        }
        if ($status === 0) {
            $done = $repeatable ? 'The same call can be made again.' : 'It may have been done: read the payment before you call again.';
            throw new CheckoutException('network', "$this->url gave no answer ($fault). See whether the companion runs there, and whether the url is right. $done");
        }
        $answer = json_decode($text, true);
        if ($status >= 200 && $status < 300 && is_array($answer) && array_key_exists($answersWith, $answer)) {
            return $answer;
        }
        throw $this->refusal($status, is_array($answer) ? $answer : []);
    }

    private function refusal(int $status, array $answer): CheckoutException
    {
        if ($status >= 300 && $status < 400) {
            return new CheckoutException('redirected', "$this->url leads to another address: give the client that one as url, without the path /v1.", $status);
        }
        $code = $answer['code'] ?? null;
        // The type tells the companion's own word from that of a gateway before it.
        if (!is_string($code) || ($answer['type'] ?? null) !== "/problems/$code") {
            return new CheckoutException('not_the_companion', "$this->url has answered $status with something that is not the companion's: see whether the url is right, and that the companion is up.", $status);
        }
        return new CheckoutException($code, trim(($answer['detail'] ?? '') . ' ' . (self::ADVICE[$code] ?? '')), $status, $answer);
    }

    /**
     * @return array{int, string, int, string} status (0: no answer), text, the pause that is asked
     * for in seconds, what went wrong
     */
    private function once(string $method, string $path, ?array $body, array $headers): array
    {
        $pause = 0;
        $handle = curl_init($this->url . $path);
        curl_setopt_array($handle, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_RETURNTRANSFER => true,
            // Followed, a redirect would lead the key to another place.
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_TIMEOUT => $this->timeout,
            CURLOPT_HTTPHEADER => ["Authorization: Bearer $this->key", 'Accept: application/json', 'Content-Type: application/json', ...$headers],
            CURLOPT_HEADERFUNCTION => function ($_, string $line) use (&$pause): int {
                if (preg_match('/^retry-after: *(\d+)/i', $line, $found) === 1) {
                    $pause = (int) $found[1];
                }
                return strlen($line);
            },
        ]);
        if ($body !== null) {
            curl_setopt($handle, CURLOPT_POSTFIELDS, json_encode($body, JSON_THROW_ON_ERROR));
        }
        $text = curl_exec($handle);
        $status = $text === false ? 0 : curl_getinfo($handle, CURLINFO_RESPONSE_CODE);
        return [$status, (string) $text, $pause, curl_error($handle)];
    }
}

/**
 * The notice, if one of the companion's secrets has signed it within five minutes.
 *
 * @param string $rawBody file_get_contents('php://input')
 * @param array $headers $_SERVER, or the names and values of the headers
 * @param string $secret the companion's HC_NOTIFY_SECRET (whsec_…); one or several with commas
 * between, any of which will do
 * @throws NoticeException for any other request
 */
function verify_notice(string $rawBody, array $headers, #[\SensitiveParameter] string $secret): array
{
    $keys = notice_keys($secret);
    $given = [];
    foreach ($headers as $name => $value) {
        $plain = preg_replace('/^http-/', '', strtr(strtolower((string) $name), '_', '-'));
        $given[$plain] = is_array($value) ? (string) reset($value) : (string) $value;
    }
    foreach (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as $name) {
        if (($given[$name] ?? '') === '') {
            throw new NoticeException('unsigned', "The header $name is missing: this is no notice, or a proxy has removed it.");
        }
    }
    $timestamp = $given['webhook-timestamp'];
    $fits = false;
    foreach ($keys as $key) {
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "{$given['webhook-id']}.$timestamp.$rawBody", $key, true));
        foreach (explode(' ', $given['webhook-signature']) as $signature) {
            $fits = hash_equals($expected, $signature) || $fits;
        }
    }
    if (!$fits) {
        throw new NoticeException('forged', 'The signature does not fit. If the companion has sent it, give the receiver its HC_NOTIFY_SECRET, and the body as it arrived.');
    }
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        throw new NoticeException('out_of_time', 'The notice was signed more than five minutes ago, or later than now. If it is genuine, the clock of this machine or of the companion is wrong.');
    }
    $notice = json_decode($rawBody, true);
    $data = is_array($notice) ? $notice['data'] ?? null : null;
    if (!is_string($notice['type'] ?? null) || !is_string($data['paymentId'] ?? null) || !is_int($data['version'] ?? null) || !is_int($data['amount'] ?? null) || !is_string($data['currency'] ?? null)) {
        throw new NoticeException('unreadable', 'The notice is genuine and cannot be read: take a HcCheckout.php that is as new as the companion.');
    }
    return $notice;
}

/**
 * The keys of HC_NOTIFY_SECRET. Call it where the shop is set up: it refuses a secret that no
 * companion has.
 *
 * @return list<string>
 * @throws \InvalidArgumentException
 */
function notice_keys(#[\SensitiveParameter] string $secret): array
{
    return array_map(function (#[\SensitiveParameter] string $one): string {
        $isBase64 = preg_match('~^whsec_([A-Za-z0-9+/]+={0,2})$~D', trim($one), $found) === 1 && strlen($found[1]) % 4 === 0;
        $key = $isBase64 ? (string) base64_decode($found[1], true) : '';
        // With an empty one anybody could sign.
        if (strlen($key) < 24 || strlen($key) > 64) {
            throw new \InvalidArgumentException('The secret of the notices is empty or malformed. Give HC_NOTIFY_SECRET of the companion: whsec_ and base64 of 24 to 64 bytes.');
        }
        return $key;
    }, explode(',', $secret));
}
