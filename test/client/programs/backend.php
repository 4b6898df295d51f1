<?php
// A shop's backend by HcCheckout.php. It is given the companion's address and key and signed
// requests, and prints what it has done as JSON.
require $argv[1];

use HcCheckout\CheckoutException;
use HcCheckout\Client;
use HcCheckout\NoticeException;
use function HcCheckout\verify_notice;

$given = json_decode(getenv('GIVEN'), true);
$hc = new Client($given['url'], $given['key']);
$terms = ['amount' => 2500, 'currency' => 'KES', 'description' => 'Solar lamp', 'orderId' => 'Nº 1 – “é”'];

function fault(callable $call): array
{
    try {
        $call();
        return ['none', null];
    } catch (CheckoutException $error) {
        if (str_contains("$error", 'mk_test')) {
            return ['the key is in it', null];
        }
        return [$error->problem, $error->field];
    } catch (NoticeException $error) {
        return [$error->fault, null];
    } catch (InvalidArgumentException $error) {
        return ['argument', null];
    }
}

$first = $hc->createSession($terms);
$again = $hc->createSession($terms);
$listed = [];
foreach ($hc->payments(['limit' => 1, 'currency' => 'KES']) as $payment) {
    $listed[] = $payment['orderId'];
}
$id = $given['paymentId'];
$phases = [$hc->refresh($id)['phase'], $hc->decide($id, 'succeeded', 'The portal shows it.', 'Wanjiru')['phase']];
$detail = $hc->payment($id);
echo json_encode([
    'same' => $first['id'] === $again['id'],
    'session' => $hc->session($first['id'])['orderId'],
    'listed' => $listed,
    'phases' => $phases,
    'found' => $hc->payment($detail['reference'])['id'] === $id,
    'resent' => $hc->resend($id),
    'faults' => [
        fault(fn() => $hc->decide($id, 'failed', 'x', 'y')),
        fault(fn() => $hc->createSession(['payer' => ['phone' => 'none']] + $terms)),
        fault(fn() => (new Client($given['url'], 'mk_wrong'))->paymentsPage()),
        fault(fn() => (new Client($given['closed'], $given['key'], retries: 0))->paymentsPage()),
        fault(fn() => $hc->resend('dep_lost')),
        fault(fn() => (new Client($given['url'] . '/hotel', $given['key']))->paymentsPage()),
        fault(fn() => (new Client($given['url'] . '/moved', $given['key']))->paymentsPage()),
        fault(fn() => $hc->payment('')),
        fault(fn() => new Client('', $given['key'])),
        fault(fn() => new Client($given['url'], '')),
    ],
    'believed' => array_map(
        fn($one) => fault(function () use ($one, $given) {
            verify_notice($one['body'], $one['headers'], $one['secret'] ?? $given['secret']);
        })[0],
        $given['notices'],
    ),
    'orderId' => verify_notice($given['notices'][0]['body'], $given['notices'][0]['headers'], $given['secret'])['data']['orderId'],
], JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);
