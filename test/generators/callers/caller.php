<?php
// Creates a deposit, and reads a refusal by its code, with the PHP code of openapi-generator.
require '/usr/share/php/GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class): void {
    $prefix = 'OpenAPI\\Client\\';
    if (str_starts_with($class, $prefix)) {
        require __DIR__ . '/generated/lib/' . str_replace('\\', '/', substr($class, strlen($prefix))) . '.php';
    }
});

$configuration = OpenAPI\Client\Configuration::getDefaultConfiguration()
    ->setHost(getenv('ESCROW_URL'))
    ->setApiKey('x-api-key', getenv('ESCROW_API_KEY'));
$payments = new OpenAPI\Client\Api\PaymentsApi(new GuzzleHttp\Client(), $configuration);

$depositFor = fn (string $userId) => $payments->createDeposit(
    getenv('ESCROW_COMPANY_ID'),
    bin2hex(random_bytes(16)),
    new OpenAPI\Client\Model\DepositRequest(['amount' => 25000, 'currency' => 'USD', 'user_id' => $userId]),
);

$deposit = $depositFor(getenv('ESCROW_USER_ID'));
echo "deposit {$deposit->getStatus()} {$deposit->getAmount()}\n";
try {
    $depositFor('usr_00000000-0000-4000-8000-000000000000');
} catch (OpenAPI\Client\ApiException $error) {
    $problem = $error->getResponseObject();
    echo "problem {$error->getCode()} {$problem->getCode()}\n";
}
